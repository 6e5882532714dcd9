import { ownPath } from '../../api/own-path.ts';
import css from './visual-difference.module.css';

type Sheet = {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly panel_width: number;
};

type PanelPictureProps = { readonly image: Sheet; readonly panel: 0 | 1 | 2; readonly alt: string };

/** One of the three panels that a visual diff has beside each other in one image. */
export function PanelPicture({ image, panel, alt }: PanelPictureProps) {
  const { url, width, height, panel_width: own } = image;
  const left = (panel * (width - own)) / 2;
  return (
    <div className={css.stage} style={{ aspectRatio: `${own} / ${height}` }}>
      <img
        src={ownPath(url)}
        alt={alt}
        draggable={false}
        style={{ width: `${(100 * width) / own}%`, insetInlineStart: `${(-100 * left) / own}%` }}
      />
    </div>
  );
}
