-- Whether a row still names the files of a picture (server/files/doubt.ts).
create index app_user_avatar on app_user (avatar) where avatar is not null;
create index message_attachment on message ((attachment->>'hash')) where attachment is not null;
