-- Only who changed something has a row; the defaults stand in the schema of the wire (API.md 12.2).
create table preference (
  user_id text collate "C" primary key references app_user,
  messages_in_app boolean not null default true,
  messages_push boolean not null default true,
  messages_email boolean not null default false,
  announcements_in_app boolean not null default true,
  announcements_push boolean not null default true,
  announcements_email boolean not null default false,
  system_in_app boolean not null default true,
  system_push boolean not null default true,
  system_email boolean not null default true,
  quiet_enabled boolean not null default false,
  quiet_start text not null default '22:00',
  quiet_end text not null default '06:00',
  quiet_timezone text not null default 'Africa/Ouagadougou',
  updated_at timestamptz not null
);
