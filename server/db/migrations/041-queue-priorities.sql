-- Smaller comes first. `outage`: the last try ended because what does the work was away, not because of this row.
alter table job add column priority smallint not null default 0, add column outage boolean not null default false;
update job set priority = case payload->>'about' when 'event' then 1 when 'announcement' then 2 else 0 end where kind = 'mail';
drop index job_due;
create index job_due on job (kind, priority, run_at);
create index job_outage on job (kind) where outage;
