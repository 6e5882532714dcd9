import { testTwoNodes } from './two-nodes.ts';

testTwoNodes('folder');
