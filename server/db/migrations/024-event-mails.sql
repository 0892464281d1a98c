-- When a person was last told by mail of unread messages here: once a day at most (API.md 12.2).
alter table participant add column mailed_at timestamptz;
