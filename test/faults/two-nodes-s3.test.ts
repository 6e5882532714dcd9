import { testTwoNodes } from './two-nodes.ts';

testTwoNodes('s3');
