import { Fault } from '../../../errors.ts';
import { brokenBound, findNonText } from '../../../platform/json-size.ts';

const BOUNDS = { levels: 100, chars: Number.POSITIVE_INFINITY };

/** @throws Fault validation_failed with the parser's reason */
export function parseJson(text: string, where: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (brokenBound(value, BOUNDS)) throw new Fault('validation_failed.levels', { limit: BOUNDS.levels });
    if (findNonText(value) !== undefined) throw new Fault('validation_failed.not_text');
    return value;
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('validation_failed.import_json', { where, reason });
  }
}
