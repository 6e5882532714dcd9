import { SCOPES } from '../identity/caller.ts';
import { createOperator } from '../operator/operator.ts';
import type { Base } from './service.ts';

type Deps = Omit<Parameters<typeof createOperator>[0], 'record' | 'scopes' | 'baseUrl'> &
  Pick<Base, 'audit' | 'config'>;

/** What commands of the operator do. */
export function wireOperator({ audit, config, ...deps }: Deps) {
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  return createOperator({ ...deps, record: audit.record, scopes: SCOPES, baseUrl });
}
