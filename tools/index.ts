import { accountTools } from './account/index.ts';
import { assetTools } from './assets/index.ts';
import { billingTools } from './billing/index.ts';
import { blogTools } from './blog/index.ts';
import { brandTools } from './brand/index.ts';
import type { Tool } from './contract/define.ts';
import { createRegistry, isForApps, type Registry } from './contract/registry.ts';
import { hookTools } from './hooks/index.ts';
import { jobTools } from './jobs/index.ts';
import { createMetaTools } from './meta/index.ts';
import { syncTools } from './sync/index.ts';
import { templateTools } from './templates/index.ts';
import { videoTools } from './videos/index.ts';
import { webhookTools } from './webhooks/index.ts';

/** Every operation of the product, and the operator's plug-ins. */
export function productRegistry(plugins: readonly Tool[] = []): Registry {
  const operations = [
    ...templateTools,
    ...assetTools,
    ...brandTools,
    ...videoTools,
    ...hookTools,
    ...syncTools,
    ...accountTools,
    ...billingTools,
    ...jobTools,
    ...webhookTools,
    ...blogTools,
    ...plugins,
  ];
  return createRegistry([...operations, ...createMetaTools(operations.filter((tool) => !isForApps(tool)))]);
}
