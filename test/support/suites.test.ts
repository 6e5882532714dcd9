import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import attacks from '../../vitest.attacks.config.ts';
import clients from '../../vitest.clients.config.ts';
import { OTHER_SUITES } from '../../vitest.config.ts';
import faults from '../../vitest.faults.config.ts';
import processes from '../../vitest.processes.config.ts';
import { HISTORIES } from '../../vitest.properties.config.ts';
import transports from '../../vitest.transports.config.ts';
import video from '../../vitest.video.config.ts';
import web from '../../vitest.web.config.ts';

type Suite = {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly projects?: unknown;
};

function filesOf({ test: suite = {} }: { readonly test?: unknown } | Record<string, never>): string[] {
  const { include = [], exclude = [], projects } = suite as Suite;
  if (Array.isArray(projects)) return projects.flatMap(filesOf);
  return globSync([...include], { exclude: [...exclude] });
}

test('every test file runs in one suite, and in no other', () => {
  const fast = globSync('test/**/*.test.ts', { exclude: OTHER_SUITES });
  const others = [transports, processes, video, web, faults, attacks, clients].flatMap(filesOf);
  const all = globSync('test/**/*.test.ts', { exclude: ['test/conformance/**'] });
  expect([...fast, ...others, ...HISTORIES].sort()).toEqual(all.sort());
});

test('.ci/run calls the script of every suite', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const commands = readFileSync('.ci/run', 'utf8');
  const suites = Object.keys(scripts).filter((name) => name.startsWith('test'));
  const called = (name: string) => new RegExp(`npm (run )?${name}(?![\\w:])`).test(commands);
  expect(suites.filter((name) => !called(name))).toEqual([]);
});
