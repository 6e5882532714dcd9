-- The trigrams of a text without case and accents, as hashes with the account: a text that contains another has all of its
-- trigrams. An index of them finds the few rows that a search must read, in one account's only.
create function search_grams(account text, said text) returns integer[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct hashtext(account || ' ' || substr(plain, place, 3))), '{}')
  from (select lower(regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]', '', 'g')) as plain) folded,
    generate_series(1, length(plain) - 2) place
$$;

create index generations_search on generations using gin (search_grams(account_id, topic));
create index templates_search on templates using gin (search_grams(account_id, name || ' ' || description));
