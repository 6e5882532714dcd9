import { join, resolve } from 'node:path';
import type { Blobs } from './blobs.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createS3Blobs, type S3Place } from './s3-blobs.ts';

type BlobSettings = {
  readonly s3: S3Place | undefined;
  readonly blobsDir: string | undefined;
  readonly dataDir: string;
};

/** Where files are: a bucket, or a folder. */
export function openBlobs(settings: BlobSettings): Blobs {
  return settings.s3 ? createS3Blobs(settings.s3) : createFolderBlobs(blobsPlace(settings));
}

/** As the operator knows it. */
export function blobsPlace({ s3, blobsDir, dataDir }: BlobSettings): string {
  return s3 ? `s3://${s3.bucket}/${s3.prefix}` : resolve(blobsDir ?? join(dataDir, 'files'));
}
