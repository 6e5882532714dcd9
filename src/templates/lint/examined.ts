import type { Found, Mail } from './finding.ts';
import type { Look } from './look.ts';
import type { Page, PageElement } from './page.ts';

/** What the rules about the html look at. */
export type Examined = {
  readonly mail: Mail;
  readonly page: Page;
  readonly looks: ReadonlyMap<PageElement, Look>;
  /** Mail clients by `family.platform`. */
  readonly clients: readonly string[];
};

/** A family of rules: says what it sees, in the order it stands in the html. */
export type Check = (examined: Examined) => Iterable<Found>;
