/**
 * The help of both commands. In its own file, since the commands load the drivers of the browser and the
 * database.
 */
export const DOES = `Check whether the server can work here: settings, database, schema, clock, secrets, folder, browser, ffmpeg, mail and
port. Says what it found and what to do. Exit code 1 if something is broken.`;
