import { abilityTasks } from './tasks/abilities.ts';
import { injectionTasks } from './tasks/injections.ts';
import { mailTasks } from './tasks/mails.ts';
import { otherTasks } from './tasks/others.ts';

export const TASKS = [...mailTasks, ...otherTasks, ...abilityTasks, ...injectionTasks];
