/** What both commands say of themselves. Apart from what they do, which loads the browser's driver and the database's. */
export const DOES = `Check whether the server can work here: settings, database, schema, clock, secrets, folder, browser, ffmpeg, mail and
port. Says what it found and what to do. Exit code 1 if something is broken.`;
