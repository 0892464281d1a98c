-- Each person's event log counts its entries; a contact of a listing is notified once a day.
alter table tape rename to event_sequence;
alter table listing_contact rename column told to notified;
