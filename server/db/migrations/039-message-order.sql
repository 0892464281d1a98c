-- When the last message was written: a later one is never dated before it, though it may have been asked for earlier.
alter table conversation add column last_at timestamptz;
