import { FileAudio, FileVideo, Type } from 'lucide-react';
import { type Asset, thumbnailOf } from './asset.ts';
import css from './thumbnail.module.css';

const ICONS = { audio: FileAudio, video: FileVideo, font: Type };

/** What a picture shows; the kind of any other file. */
export function Thumbnail({ asset, width }: { readonly asset: Asset; readonly width: number }) {
  const { type, alt } = asset;
  if (type === 'image')
    return (
      <span className={css.picture}>
        <img src={thumbnailOf(asset, width)} alt={alt} loading="lazy" />
      </span>
    );
  const Icon = ICONS[type];
  return (
    <span className={css.picture}>
      <Icon className={css.kind} aria-hidden="true" />
    </span>
  );
}
