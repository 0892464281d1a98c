-- The demo's pictures are files. A row says what its picture shows, so that another file can take the place of one that is gone.
alter table demo_picture add column kind text, add column colour text;
update demo_picture set
  kind = case when recipe ? 'thing' then lower(regexp_replace(recipe->>'thing', '([A-Z])', '-\1', 'g')) else 'avatar' end,
  colour = case recipe->>'paint'
    when '#26282d' then 'Noir'
    when '#e8e6e1' then 'Blanc'
    when '#83888f' then 'Gris'
    when '#b3b9c0' then 'Argent'
    when '#2a5aa8' then 'Bleu'
    when '#b3261f' then 'Rouge'
    when '#3a7a46' then 'Vert'
    when '#dba514' then 'Jaune'
    when '#c39b4a' then 'Or'
    when '#cf6f98' then 'Rose'
    when '#744a2a' then 'Marron'
    when '#6f4a9c' then 'Violet'
    when '#cdb892' then 'Beige'
  end;
alter table demo_picture alter column kind set not null, drop column recipe;
