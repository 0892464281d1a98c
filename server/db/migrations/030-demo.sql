-- Pictures of the demo that are drawn when somebody first looks at them.
create table demo_picture (
  hash text collate "C" primary key,
  recipe jsonb not null
);
