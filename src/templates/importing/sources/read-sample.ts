import { brokenBound, findNonText } from '../../../platform/json-size.ts';
import { Data, LIMITS } from '../../schema.ts';

/** Sample data out of a text; undefined for what is no JSON object of a size a fixture may have. */
export function readSample(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const fits = !brokenBound(value, LIMITS.data) && findNonText(value) === undefined;
    return fits ? Data.safeParse(value).data : undefined;
  } catch {
    return undefined;
  }
}
