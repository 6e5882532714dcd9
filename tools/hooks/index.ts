import type { Tool } from '../contract/define.ts';
import { deleteBrandVoice } from './delete-brand-voice.ts';
import { deleteGeneration } from './delete-generation.ts';
import { downloadGeneration } from './download-generation.ts';
import { exportHistory } from './export-history.ts';
import { generateHooks } from './generate-hooks.ts';
import { generateHooksBatch } from './generate-hooks-batch.ts';
import { getGeneration } from './get-generation.ts';
import { getUsage } from './get-usage.ts';
import { listBrandVoices } from './list-brand-voices.ts';
import { listHistory } from './list-history.ts';
import { rateHook } from './rate-hook.ts';
import { saveBrandVoice } from './save-brand-voice.ts';
import { scoreHooks } from './score-hooks.ts';
import { submitHooks } from './submit-hooks.ts';
import { updateBrandVoice } from './update-brand-voice.ts';

/** The operations of the hook generation application, in the order of the documents. */
export const hookTools: readonly Tool[] = [
  generateHooks,
  submitHooks,
  generateHooksBatch,
  getUsage,
  scoreHooks,
  listHistory,
  // Before what it would be the id of.
  exportHistory,
  getGeneration,
  downloadGeneration,
  deleteGeneration,
  rateHook,
  saveBrandVoice,
  listBrandVoices,
  updateBrandVoice,
  deleteBrandVoice,
];
