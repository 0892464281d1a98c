/** Numbers of the contract, and those that several files share; the source is beside or above. */

export const IMAGES_PER_LISTING = 5 // [S9.02]
export const IMAGE_BYTES = 5 * 1024 * 1024 // [S9.02], as sent
export const IMAGE_MIN_PX = 200 // [S9.02]
export const AVATAR_MIN_PX = 100 // [API 7.4]
export const TITLE_MIN = 5 // [S9.04]
export const DESCRIPTION_MAX = 2000 // [S9.03]
export const PASSWORD_MIN = 6 // [S9.05]

// [API 5.3]
export const TITLE_MAX = 120
export const PRICE_MAX = 2_000_000_000
export const PASSWORD_MAX = 128
export const MESSAGE_MAX = 2000
export const SEARCH_MAX = 100
export const SHOP_NAME_MIN = 2
export const SHOP_NAME_MAX = 60
export const BIO_MAX = 500
export const REPORT_MAX = 1000
export const COMMENT_MAX = 1000
export const REPORT_OTHER_MIN = 10

export const NOTIFICATIONS_STORED = 200 // [S9.07]
export const SEEN_EVENTS_MAX = 4000 // [S9.08]
export const SEEN_EVENTS_KEPT = 2000 // [S9.08]
export const SAME_TAG_MS = 2500 // [S9.09]
export const MESSAGE_MERGE_MS = 90_000 // [S9.10]
export const SESSION_NOTICE_MS = 2000 // [S9.11]
export const TOAST_MS = 2000 // [S8.06]
export const HEARTBEAT_MS = 25_000 // [S9.12]
export const PONG_MS = 10_000 // [API 14.2]

// [S9.13]
export const BACKOFF_BASE_MS = 500
export const BACKOFF_MAX_MS = 15_000
export const BACKOFF_JITTER_MS = 300

export const SILENT_SOCKET_MS = 10_000 // as PONG_MS: the first frame after the connection opened
export const RETRY_BASE_MS = 2000 // [SYNC 5]
export const RETRY_MAX_MS = 5 * 60_000 // decision 095: for what is on screen
export const RETRY_ENTRY_MAX_MS = 30 * 60_000 // decision 095: for outbox entries, about a hundred tries a day
export const RETRY_AFTER_MAX_MS = 3_600_000 // decision 095: beyond it a clock is wrong
export const DAY_MS = 24 * 3_600_000
export const VISITOR_TEXT_MS = 30 * 60_000 // [S13.12]: then somebody else may hold the device
/**
 * Failed tries of one entry before the user is asked: bytes a day (times its size, plus a
 * constant), and hours (the first time, and later).
 */
export const RETRY_TIMES_SIZE = 6 // decision 096
export const RETRY_DAY_BYTES = 128 * 1024 // decision 096
export const RETRY_FIRST_HOURS = 24 // [SYNC 5]
export const RETRY_HOURS = 72 // [SYNC 5]
export const UPLOAD_STALL_MS = 20_000 // decision 096: no byte of an upload moved
export const RECOVERY_SPREAD_MS = 2000 // [SYNC 8]: draining starts within 2 s of proof

// [S9.14]
export const POLL_BASE_MS = 90_000
export const POLL_MIN_MS = 120_000
export const POLL_MAX_MS = 300_000

export const REFRESH_DEBOUNCE_MS = 800 // [S9.15]
export const EVENT_DEBOUNCE_MS = 1200 // [S9.16]
export const SERVICE_WORKER_WAIT_MS = 4000 // [S9.17]
export const PUSH_KEY_BYTES = 65 // [S9.18]
export const RELATED_SIZE = 12 // [S9.19]
export const SIMILAR_SIZE = 10 // [S9.20]
export const RECOMMENDATIONS_SIZE = 20 // [S9.21]
export const IDS_SIZE = 50 // [S9.22]
export const SUGGEST_DEBOUNCE_MS = 250 // [S9.23]
export const SUGGEST_MIN = 2 // [S5.07]
export const SUGGESTIONS = 6 // [S9.23]
export const SUGGESTED_SEARCHES = 3 // [S13.50], of these
export const RECENT_SEARCHES = 6 // [S9.24]
export const DROPDOWN_NOTIFICATIONS = 6 // [S9.25]
export const BADGE_MAX = 9 // [S9.26]
export const UPDATE_CHECK_MS = 30 * 60_000 // [S9.27]
export const IOS_HINT_MS = 1500 // [S9.28]
export const TYPE_AHEAD_MS = 1000 // [S9.29]
export const BOTTOM_NAV_MAX_PX = 900 // [S9.30]
export const PAGE_SIZE = 20 // [D32]
export const PAGE_SIZE_MAX = 50 // [D32]
export const LIST_ROWS_MAX = 2000 // decision 063
export const THREAD_ROWS_MAX = 50_000 // more than anyone scrolls, and small enough for a device
export const MESSAGE_PHOTOS_MAX = 6 // [S13.33]
export const MESSAGES_PAGE = 30 // [API 11.4]
export const TYPING_SHOWN_MS = 6000 // [API 14.3]
export const TYPING_SENT_MS = 3000 // [API 14.3]
export const FAVOURITES_MAX = 500 // [API 10.2]
export const IDEMPOTENCY_DAYS = 30 // [API 2]
export const EVENTS_KEPT_DAYS = 7 // [API 14.2]
export const RESUME_MAX = 1000 // [API 14.2]
export const DELTA_KEPT_DAYS = 30 // [API 3]
export const LISTING_DAYS = 60 // [API 5.2]
export const REACTIVATE_DAYS_MAX = 90 // [API 9.5]
export const EXPIRY_NOTICE_DAYS = 3 // [API 5.2]

export const JSON_BYTES = 256 * 1024 // [API 1.2]
export const SOCKET_FRAME_BYTES = 4096 // [API 14.2], from client to server
export const SOCKET_BAD_FRAMES = 3 // [API 14.1], code 4400
export const SOCKET_FRAMES = 60 // [API 14.1], code 4429
export const SOCKET_FRAMES_MS = 10_000 // [API 14.1], code 4429
export const SOCKET_SILENCE_MS = 60_000 // [API 14.1], code 4408
export const SOCKETS_PER_USER = 10 // [API 14.1], code 4409
export const NOTIFICATIONS_PAGE_MAX = 100 // [API 12.1]
export const NOTIFICATION_DAYS = 180 // [API 4.9]
export const NOTIFICATION_CONTENT_MAX = 200 // [API 4.9]

// [API 3]
export const CURSOR_STEP_BACK_MS = 10_000
export const CURSOR_MAX = 200
export const DELTA_PAGE = 50
export const DELTA_PAGE_MAX = 100

export const MESSAGES_PAGE_MAX = 100 // [API 11.4]
export const QUICK_MESSAGES = 6 // [API 11.3]
export const IMAGE_MAX_SIDE_PX = 12_000 // [API 5.4]
/** Before it is shrunk. */
export const PHOTO_FILE_BYTES = 30 * 1024 * 1024
export const PHOTO_FILE_PIXELS = 51_000_000 // sensors sold as 50 megapixels have up to 8,192 × 6,144
export const PHOTO_LONG_EDGE_PX = 1600 // [SYNC 5]
export const PHOTO_BYTES = 280 * 1024 // [SYNC 5]: about 250 KB
/** Usual price of mobile data per 10⁹ bytes; the user can change it. */
export const DATA_FRANCS_PER_GB = 1000 // [F04]
export const OPEN_MS = 5000 // [SYNC 3]: timeout of opening a database
export const TRANSACTION_MS = 8000 // [SYNC 6]: timeout of a transaction
