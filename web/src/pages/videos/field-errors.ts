import type { ApiFault } from '../../api/fault.ts';

/** What the server says of each field, by its place in the request: `duration`, `data.items.0.title`. */
export function errorsAt(fault: ApiFault | null): ReadonlyMap<string, string> {
  return new Map((fault?.errors ?? []).map(({ loc, msg }) => [loc.slice(1).join('.'), msg]));
}

/** Fields that the form shows; an error elsewhere is said above it. */
const SHOWN = /^(title|duration|template|captions|data(\..*)?)$/;

/** Whether everything that is wrong is shown beside its field. */
export function isPlaced({ errors }: Pick<ApiFault, 'errors'>): boolean {
  return errors.length > 0 && errors.every(({ loc }) => SHOWN.test(loc.slice(1).join('.')));
}
