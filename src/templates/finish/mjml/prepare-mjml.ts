import { Fault, type FaultDetail, type FaultParams } from '../../../errors.ts';
import type { QueueCaller } from '../../../platform/fair-queue.ts';
import type { Engine, Program, Source } from '../../engine/engine.ts';
import { faultOf } from '../../engine/problem.ts';
import type { Finisher } from '../finisher.ts';
import type { Moved } from './mask-mustaches.ts';

/**
 * Compiles a source whose html is MJML. Its mustaches are checked in the MJML first and in the html made of it then, and what is
 * wrong is told with its place in the MJML.
 * @throws Fault as `Engine.prepare`, and template_invalid for the MJML itself
 */
export async function prepareMjml(
  { engine, finisher }: { engine: Engine; finisher: Finisher },
  source: Source,
  asker?: QueueCaller,
): Promise<Program> {
  if (source.kind !== 'template') throw new Fault('template_invalid.mjml_kind', { kind: source.kind });
  if (source.inLayout) throw new Fault('template_invalid.mjml_layout');
  await engine.prepare(source, asker);
  const made = await finisher.compileMjml(source.html, asker);
  if ('problems' in made) throw faultOf(made.problems);
  const { html, moved } = made;
  try {
    return await engine.prepare({ ...source, html, generated: true }, asker);
  } catch (error) {
    throw error instanceof Fault ? inSource(error, moved) : error;
  }
}

/** The same fault with the places of the MJML; what has none there is said to be at its start. */
function inSource(fault: Fault, moved: readonly Moved[]): Fault {
  const places = new Map(moved.map(({ from, to }) => [`${to.line}:${to.col}`, from]));
  const start = { line: 1, col: 1 };
  const inMjml = (params: FaultParams) =>
    params['field'] === 'html' && params['line'] !== undefined
      ? { ...params, ...(places.get(`${params['line']}:${params['col']}`) ?? start) }
      : params;
  const errors = fault.errors.map((detail): FaultDetail => {
    if (!('key' in detail) || detail.loc[1] !== 'html' || detail.line === undefined) return detail;
    const params = inMjml(detail.params ?? {});
    return { ...detail, params, ...(places.get(`${detail.line}:${detail.col}`) ?? start) };
  });
  return new Fault(fault.key, inMjml(fault.params), { errors, cause: fault });
}
