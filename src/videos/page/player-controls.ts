import type { PlayHead, PlayState } from './play-head.ts';

type Controls = {
  /** Height of the bar in pixels. */
  readonly height: number;
  /** Connects the bar and the keys to the play head. */
  connect(head: PlayHead): void;
  show(state: PlayState): void;
  /** Shows a text at the end of the bar. */
  showMessage(text: string): void;
};

const HEIGHT = 56;

/** The bar of the preview: play and stop, a scrubber, and the time. */
export function createControls({ fps, frames }: { fps: number; frames: number }): Controls {
  const words = navigator.language.startsWith('es') ? SPANISH : ENGLISH;
  const host = document.createElement('video-preview-controls');
  const root = host.attachShadow({ mode: 'open' });
  const button = document.createElement('button');
  const line = document.createElement('input');
  const [time, text] = [document.createElement('output'), document.createElement('span')];
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  root.adoptedStyleSheets = [style];
  Object.assign(line, { type: 'range', min: '0', max: String(frames - 1), step: '1', value: '0' });
  line.ariaLabel = words.position;
  button.disabled = true;
  root.append(button, line, time, text);
  document.documentElement.append(host);
  show({ frame: 0, isPlaying: false });
  return { height: HEIGHT, connect, show, showMessage };

  function showMessage(message: string): void {
    text.textContent = message;
    text.title = message;
  }

  function connect(head: PlayHead): void {
    button.disabled = false;
    button.addEventListener('click', head.toggle);
    line.addEventListener('input', () => head.moveTo(Number(line.value)));
    addEventListener('keydown', (event) => {
      const act = actionOf(event, head);
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }

  function actionOf({ key, shiftKey }: KeyboardEvent, head: PlayHead): (() => void) | undefined {
    const step = shiftKey ? fps : 1;
    if (key === ' ') return head.toggle;
    if (key === 'ArrowRight') return () => head.moveBy(step);
    if (key === 'ArrowLeft') return () => head.moveBy(-step);
    if (key === 'Home') return () => head.moveTo(0);
    return key === 'End' ? () => head.moveTo(frames - 1) : undefined;
  }

  function show({ frame, isPlaying }: PlayState): void {
    button.textContent = isPlaying ? '❚❚' : '▶';
    button.ariaLabel = isPlaying ? words.pause : words.play;
    line.value = String(frame);
    time.textContent = `${clockTime(frame / fps)} / ${clockTime(frames / fps)}`;
    line.ariaValueText = time.textContent;
  }
}

function clockTime(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return `${Math.floor(tenths / 600)}:${rest}`;
}

const ENGLISH = { play: 'Play', pause: 'Pause', position: 'Position' };
const SPANISH: typeof ENGLISH = { play: 'Reproducir', pause: 'Pausar', position: 'Posición' };

// Nothing here may be animated: the engine drives every animation of the page by the video's time.
const STYLE = `
  :host {
    all: initial; position: fixed; inset: auto 0 0 0; height: ${HEIGHT}px; box-sizing: border-box; z-index: 2147483647;
    display: flex; align-items: center; gap: 14px; padding: 0 16px;
    background: #17171a; color: #f4f4f5; font: 14px/1 system-ui, sans-serif; color-scheme: dark;
  }
  button {
    flex: none; width: 40px; height: 40px; border: 0; border-radius: 50%; background: #f4f4f5; color: #17171a;
    font: 13px/1 system-ui, sans-serif; cursor: pointer;
  }
  button:disabled { opacity: .4; }
  button:focus-visible, input:focus-visible { outline: 2px solid #8ab4ff; outline-offset: 3px; }
  input { flex: 1; min-width: 80px; accent-color: #f4f4f5; cursor: pointer; }
  output { flex: none; font-variant-numeric: tabular-nums; }
  span { max-width: 40%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: #ffd479; }
  span:empty { display: none; }
`;
