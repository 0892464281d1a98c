-- Whoever tells a seller's followers goes through them in the order of their ids.
create index follow_followers on follow (seller_id, follower_id) where ended_at is null;
