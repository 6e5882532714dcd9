import type { Cue } from '../composition/composition.ts';

/** The captions as a WebVTT file, which players show beside a video. Empty lines in a caption, which would end it, go. */
export function webvtt(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...cues.map(block)].join('\n');
}

function block({ start, end, text }: Cue): string {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return `${time(start)} --> ${time(end)}\n${lines.map(escaped).join('\n')}\n`;
}

function time(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}.${rest}`;
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
