import type { Tool } from '../contract/define.ts';
import { applyPlan } from './apply-plan.ts';
import { cancelSyncRun } from './cancel-sync-run.ts';
import { connectDemo } from './connect-demo.ts';
import { connectGoogle } from './connect-google.ts';
import { connectSheet } from './connect-sheet.ts';
import { connectShopify } from './connect-shopify.ts';
import { connectStore } from './connect-store.ts';
import { createSyncConfig } from './create-sync-config.ts';
import { deleteSheet } from './delete-sheet.ts';
import { deleteStore } from './delete-store.ts';
import { deleteSyncConfig } from './delete-sync-config.ts';
import { getSheet } from './get-sheet.ts';
import { getStore } from './get-store.ts';
import { getSyncConfig } from './get-sync-config.ts';
import { getSyncRun } from './get-sync-run.ts';
import { getSyncUsage } from './get-sync-usage.ts';
import { listConflicts } from './list-conflicts.ts';
import { listProducts } from './list-products.ts';
import { listSheetColumns } from './list-sheet-columns.ts';
import { listSheets } from './list-sheets.ts';
import { listStoreLocations } from './list-store-locations.ts';
import { listStores } from './list-stores.ts';
import { listSyncChanges } from './list-sync-changes.ts';
import { listSyncConfigs } from './list-sync-configs.ts';
import { listSyncFields } from './list-sync-fields.ts';
import { listSyncRuns } from './list-sync-runs.ts';
import { previewSync } from './preview-sync.ts';
import { resolveConflicts } from './resolve-conflicts.ts';
import { retrySyncRun } from './retry-sync-run.ts';
import { revertSyncRun } from './revert-sync-run.ts';
import { runSync } from './run-sync.ts';
import { setDemoStock } from './set-demo-stock.ts';
import { testSheet } from './test-sheet.ts';
import { testStore } from './test-store.ts';
import { undoRun } from './undo-run.ts';
import { updateSheet } from './update-sheet.ts';
import { updateStore } from './update-store.ts';
import { updateSyncConfig } from './update-sync-config.ts';

/** The operations of sync, in the order of the documents. */
export const syncTools: readonly Tool[] = [
  connectDemo,
  connectShopify,
  connectGoogle,
  connectStore,
  listStores,
  getStore,
  updateStore,
  deleteStore,
  testStore,
  listStoreLocations,
  listProducts,
  connectSheet,
  listSheets,
  getSheet,
  updateSheet,
  deleteSheet,
  testSheet,
  listSheetColumns,
  createSyncConfig,
  listSyncConfigs,
  getSyncConfig,
  updateSyncConfig,
  deleteSyncConfig,
  previewSync,
  runSync,
  applyPlan,
  listSyncRuns,
  getSyncRun,
  listSyncChanges,
  revertSyncRun,
  undoRun,
  retrySyncRun,
  cancelSyncRun,
  listConflicts,
  resolveConflicts,
  listSyncFields,
  getSyncUsage,
  setDemoStock,
];
