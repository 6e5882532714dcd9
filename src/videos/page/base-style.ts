import type { StageOptions } from './stage-options.ts';

/**
 * Gives the page its measures and the style every template stands on. It is in a layer, so that whatever an author
 * writes outside of layers comes before it, but for what is important here.
 */
export function applyBaseStyle(stage: HTMLElement, { width, height, fps, frames }: StageOptions): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const duration = `${frames / fps}s`;
  const root = document.documentElement.style;
  root.setProperty('--w', `${width}px`);
  root.setProperty('--h', `${height}px`);
  root.setProperty('--fps', String(fps));
  root.setProperty('--duration', duration);
  stage.style.setProperty('--scene-duration', duration);
}

/** Holds every animation off while texts are measured, so that none of them moves what is measured. */
export const MEASURING = 'data-measuring';

const STYLE = `@layer video-engine {
  html, body { margin: 0 !important; padding: 0 !important; overflow: hidden !important; }
  #stage { position: relative; }
  #stage {
    box-sizing: border-box !important; width: var(--w) !important; height: var(--h) !important; margin: 0 !important;
    flex: none !important; overflow: hidden !important; container: stage / size !important;
  }
  [data-off] { display: none !important; }
  [data-piece] { display: inline-block; max-width: 100%; }
  [data-piece][data-line] { display: block; max-width: none; white-space: nowrap; }
  [data-nowrap] { display: inline-block; white-space: nowrap; }
  [data-cue] { white-space: pre-line; }
  [data-word] { display: inline-block; }
  [data-captions="karaoke"] [data-word]:not([data-said]) { opacity: .45; }
  [data-captions]:empty { visibility: hidden; }
  [${MEASURING}] *, [${MEASURING}] *::before, [${MEASURING}] *::after {
    animation: none !important; transition: none !important;
  }
}`;
