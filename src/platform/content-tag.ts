import { hash } from 'node:crypto';
import { stableJson } from './stable-json.ts';

/** The entity tag of what has no version of its own: it moves with everything a reader can see. */
export function contentTag(resource: object): string {
  return hash('sha256', stableJson(resource), 'base64url');
}
