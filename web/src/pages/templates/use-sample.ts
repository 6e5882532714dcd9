import { listFixtures } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';

/** The stored data that a template is shown with; undefined where it has none. */
export function useSample(template: string) {
  const { data } = useRead(listFixtures, { template });
  return data?.items.find(({ name }) => name === 'sample') ?? data?.items[0];
}
