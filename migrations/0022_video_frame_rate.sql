-- 23.976, 29.97 and 59.94 frames a second are no integers: `fps` has the nearest one, and this the exact rate. Null: `fps` is exact.
alter table videos add column frame_rate double precision;
