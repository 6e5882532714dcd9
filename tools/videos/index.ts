import type { Tool } from '../contract/define.ts';
import { cancelVideo } from './cancel-video.ts';
import { createVideo } from './create-video.ts';
import { deleteVideo } from './delete-video.ts';
import { deleteVideoTemplate } from './delete-video-template.ts';
import { getVideo } from './get-video.ts';
import { getVideoTemplate } from './get-video-template.ts';
import { listVideoTemplateVersions } from './list-video-template-versions.ts';
import { listVideoTemplates } from './list-video-templates.ts';
import { listVideos } from './list-videos.ts';
import { previewVideoTemplate } from './preview-video-template.ts';
import { retryVideo } from './retry-video.ts';
import { rollbackVideoTemplate } from './rollback-video-template.ts';
import { saveVideoTemplate } from './save-video-template.ts';

/** The operations on videos, in the order of the documents. */
export const videoTools: readonly Tool[] = [
  createVideo,
  getVideo,
  listVideos,
  cancelVideo,
  retryVideo,
  deleteVideo,
  listVideoTemplates,
  getVideoTemplate,
  saveVideoTemplate,
  previewVideoTemplate,
  deleteVideoTemplate,
  listVideoTemplateVersions,
  rollbackVideoTemplate,
];
