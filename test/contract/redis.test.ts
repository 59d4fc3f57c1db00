import { startEngine } from '../support/engine.ts';
import { describeStore } from './describe-store.ts';

describeStore('Redis', () => startEngine());
