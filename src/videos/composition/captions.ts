import { Fault } from '../../errors.ts';
import { LIMITS } from '../request.ts';
import type { Cue } from './composition.ts';

type Line = { readonly text: string; readonly number: number };

const MAX_SHOWN_CHARS = 80;
/** WebVTT blocks that are not shown. */
const HIDDEN_BLOCKS = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
const TIMES = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)(?:\s.*)?$/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})$/;

/**
 * Parses an SRT or WebVTT file, without markup such as italics. Returns cues in display order.
 * @throws Fault validation_failed.captions with the line, validation_failed.captions_count
 */
export function parseCaptions(file: string): Cue[] {
  const blocks = blocksOf(file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/));
  const isVtt = /^WEBVTT(?:\s|$)/.test(blocks[0]?.[0]?.text ?? '');
  const shown = isVtt ? blocks.slice(1).filter(([head]) => !HIDDEN_BLOCKS.test(head?.text ?? '')) : blocks;
  if (shown.length > LIMITS.cues) throw new Fault('validation_failed.captions_count', { limit: LIMITS.cues });
  const cues = shown.map((lines) => cueOf(lines, isVtt ? plainVtt : plainSrt));
  return cues.filter(({ text }) => text !== '').sort((one, other) => one.start - other.start);
}

/** Groups of lines between empty ones. */
function blocksOf(lines: readonly string[]): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  for (const [i, text] of lines.entries()) {
    if (text.trim() !== '') block.push({ text, number: i + 1 });
    else if (block.length > 0) {
      blocks.push(block);
      block = [];
    }
  }
  return block.length > 0 ? [...blocks, block] : blocks;
}

function cueOf(lines: readonly Line[], plain: (text: string) => string): Cue {
  const [first, second] = lines;
  if (!first) throw new Error('a block has lines');
  // A number or name may precede the times.
  const named = !TIMES.test(first.text) && second !== undefined;
  const head = named ? second : first;
  const [, from = '', to = ''] = TIMES.exec(head.text) ?? [];
  const start = secondsOf(from);
  const end = secondsOf(to);
  if (start === undefined || end === undefined || end <= start)
    throw unreadableCue(named ? [first, head] : [head]);
  const text = lines.slice(named ? 2 : 1).map((line) => plain(line.text));
  return { start, end, text: text.join('\n').trim() };
}

function secondsOf(time: string): number | undefined {
  const match = TIME.exec(time);
  if (!match) return undefined;
  const [, hours = '0', minutes, seconds, part = ''] = match;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (whole * 1000 + Number(part.padEnd(3, '0'))) / 1000;
}

// When the second line looks like times, it is the wrong one; otherwise the first.
function unreadableCue(lines: readonly Line[]): Fault {
  const line = lines.find(({ text }) => text.includes('-->')) ?? lines[0];
  const text = (line?.text ?? '').trim().slice(0, MAX_SHOWN_CHARS);
  return new Fault('validation_failed.captions', { line: line?.number ?? 1, text });
}

// Excluding `<` from the tag keeps the match linear.
function plainVtt(text: string): string {
  return text
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (name) => ENTITIES[name] ?? name);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00A0',
  '&lrm;': '\u200E',
  '&rlm;': '\u200F',
};

function plainSrt(text: string): string {
  return text.replace(/<\/?(?:b|i|u|s|font)(?:\s[^<>]*)?>/gi, '').replace(/\{\\[^{}]*\}/g, '');
}

/**
 * Formats captions as a WebVTT file, which players show beside a video. Empty lines, which would end a cue, are
 * dropped.
 */
export function webvtt(cues: readonly Cue[]): string {
  return ['WEBVTT\n', ...cues.map(formatCue)].join('\n');
}

function formatCue({ start, end, text }: Cue): string {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return `${formatTime(start)} --> ${formatTime(end)}\n${lines.map(escaped).join('\n')}\n`;
}

function formatTime(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}.${rest}`;
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
