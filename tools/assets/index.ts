import type { Tool } from '../contract/define.ts';
import { createAssetUpload } from './create-asset-upload.ts';
import { deleteAsset } from './delete-asset.ts';
import { getAsset } from './get-asset.ts';
import { listAssets } from './list-assets.ts';
import { putAsset } from './put-asset.ts';
import { updateAsset } from './update-asset.ts';
import { uploadAsset } from './upload-asset.ts';

/** The operations on the account's own files, in the order of the documents. */
export const assetTools: readonly Tool[] = [
  uploadAsset,
  createAssetUpload,
  putAsset,
  listAssets,
  getAsset,
  updateAsset,
  deleteAsset,
];
