const MOST_CHARACTERS = 300;

/** A way to frames does not work in this browser, or not for this page; another one may. */
export class PathUnusable extends Error {
  /** @param reason a few words that end up beside the video, such as `the ring file was not found` */
  constructor(reason: string, options?: ErrorOptions) {
    // It may be a page's own words, which need not be a text that a database can hold.
    super(reason.replaceAll('\0', '').toWellFormed().slice(0, MOST_CHARACTERS), options);
    this.name = 'PathUnusable';
  }
}
