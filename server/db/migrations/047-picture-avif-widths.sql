-- Widths in px for which an AVIF variant exists (API.md 6.3).
alter table picture add column avif_widths integer[] not null default '{}';
-- Photos whose AVIF has only the first four widths: the job `variants` adds the others.
update picture set settled_at = null where 'avif' = any(formats) and removed_at is null;
