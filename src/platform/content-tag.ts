import { hash } from 'node:crypto';
import { stableJson } from './stable-json.ts';

/** The entity tag of a resource without a version: it changes with everything that a reader can see. */
export function contentTag(resource: object): string {
  return hash('sha256', stableJson(resource), 'base64url');
}
