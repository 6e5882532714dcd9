import type { Tool } from '../contract/define.ts';
import { createBranch } from './create-branch.ts';
import { createTemplate } from './create-template.ts';
import { deleteBranch } from './delete-branch.ts';
import { deleteFixture } from './delete-fixture.ts';
import { deleteTemplate } from './delete-template.ts';
import { diffVersions } from './diff-versions.ts';
import { editTemplate } from './edit-template.ts';
import { exportBundle } from './export-bundle.ts';
import { exportTemplate } from './export-template.ts';
import { generateTemplate } from './generate-template.ts';
import { getBranch } from './get-branch.ts';
import { getTemplate } from './get-template.ts';
import { getVersion } from './get-version.ts';
import { importTemplates } from './import-templates.ts';
import { lintTemplate } from './lint-template.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listBranches } from './list-branches.ts';
import { listEnvironmentHistory } from './list-environment-history.ts';
import { listEnvironments } from './list-environments.ts';
import { listFixtures } from './list-fixtures.ts';
import { listTemplates } from './list-templates.ts';
import { listVersions } from './list-versions.ts';
import { mergeBranch } from './merge-branch.ts';
import { previewTemplate } from './preview-template.ts';
import { promoteConfirmed } from './promote-confirmed.ts';
import { promoteTemplate } from './promote-template.ts';
import { protectEnvironment } from './protect-environment.ts';
import { renderBatch } from './render-batch.ts';
import { renderTemplate } from './render-template.ts';
import { restoreTemplate } from './restore-template.ts';
import { rollbackTemplate } from './rollback-template.ts';
import { saveFixture } from './save-fixture.ts';
import { updateTemplate } from './update-template.ts';
import { validateTemplate } from './validate-template.ts';

/** The operations of the template service, in the order of the documents. */
export const templateTools: readonly Tool[] = [
  createTemplate,
  listTemplates,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  restoreTemplate,
  validateTemplate,
  lintTemplate,
  generateTemplate,
  editTemplate,
  listVersions,
  getVersion,
  diffVersions,
  rollbackTemplate,
  createBranch,
  listBranches,
  getBranch,
  deleteBranch,
  mergeBranch,
  listEnvironments,
  protectEnvironment,
  promoteTemplate,
  promoteConfirmed,
  listEnvironmentHistory,
  renderTemplate,
  renderBatch,
  exportTemplate,
  previewTemplate,
  saveFixture,
  listFixtures,
  deleteFixture,
  importTemplates,
  exportBundle,
  listAuditEvents,
];
