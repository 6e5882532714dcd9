import { Fault } from '../../src/errors.ts';
import type { Call } from '../contract/define.ts';

/** A caller that is a model can write the hooks itself if the server has no AI model to ask. */
export async function orWriteYourself<Result>(
  { byModel }: Pick<Call, 'byModel'>,
  work: Promise<Result>,
): Promise<Result> {
  return work.catch((error: unknown) => {
    const isKeyless = error instanceof Fault && error.key === 'api_key_required.provider';
    throw byModel && isKeyless ? new Fault('api_key_required.write_yourself', error.params) : error;
  });
}
