import { Fault } from '../../src/errors.ts';
import type { Call } from '../contract/define.ts';

/** A model that finds no AI model to ask is one: it is told to write the hooks. */
export async function orWriteYourself<Result>(
  { byModel }: Pick<Call, 'byModel'>,
  work: Promise<Result>,
): Promise<Result> {
  return work.catch((error: unknown) => {
    const isKeyless = error instanceof Fault && error.key === 'api_key_required.provider';
    throw byModel && isKeyless ? new Fault('api_key_required.write_yourself', error.params) : error;
  });
}
