import type { Output } from '../../api/operation.ts';
import type { listTemplates } from '../../api/operations.gen.ts';

type Summary = Output<typeof listTemplates>['items'][number];

type Waiting = {
  readonly name: string;
  readonly version: string;
  /** The first environment that does not have the version, on its way to customers. */
  readonly environment: 'staging' | 'production';
  /** What that environment has instead. */
  readonly shown: string | undefined;
};

/** The templates with a head that has not reached production. */
export function waitingTemplates(
  templates: readonly Pick<Summary, 'name' | 'version' | 'environments'>[],
): Waiting[] {
  return templates.flatMap(({ name, version, environments }) => {
    const environment = (['staging', 'production'] as const).find((each) => environments[each] !== version);
    return environment ? [{ name, version, environment, shown: environments[environment] }] : [];
  });
}
