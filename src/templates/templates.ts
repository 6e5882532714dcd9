import { createBranches } from './branches.ts';
import { createBundles } from './bundle/bundle.ts';
import { createCatalog } from './catalog.ts';
import type { TemplateContext } from './context.ts';
import { createDiffing } from './diff/diff.ts';
import { createEnvironments } from './environments/environments.ts';
import { createPromotion } from './environments/promotion.ts';
import { createExport } from './export/export.ts';
import { createFixtures } from './fixtures.ts';
import { createEditing } from './generation/editing.ts';
import { createGenerating } from './generation/generation.ts';
import { createImporting } from './importing/importing.ts';
import { createLinting } from './lint/linting.ts';
import { createMerging } from './merge/merge.ts';
import { createBatch } from './rendering/batch.ts';
import { createPreview } from './rendering/preview.ts';
import { createUpdating } from './updating.ts';
import { createValidation } from './validation.ts';
import { createVersions } from './versions/versions.ts';
import { createVisualDiff } from './visual-diff/visual-diff.ts';

/**
 * The template service: each part is a file of its own beside this one.
 *
 * In: a caller's account with names, documents and data. Out: templates, versions and rendered emails. Invariant: a
 * version never changes once it is stored; a change adds one.
 */
export function createTemplates(context: TemplateContext) {
  return {
    catalog: createCatalog(context),
    updating: createUpdating(context),
    versions: createVersions(context),
    diffing: createDiffing(context),
    branches: createBranches(context),
    merging: createMerging(context),
    environments: createEnvironments(context),
    promotion: createPromotion(context),
    fixtures: createFixtures(context),
    rendering: context.rendering,
    batch: createBatch(context),
    validation: createValidation(context),
    importing: createImporting(context),
    bundles: createBundles(context),
    linting: createLinting(context),
    generating: createGenerating(context),
    editing: createEditing(context),
    export: createExport(context),
    preview: createPreview(context),
    visualDiff: createVisualDiff(context),
  };
}
