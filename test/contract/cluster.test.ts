import { startCluster } from '../support/cluster.ts';
import { describeStore } from './describe-store.ts';

// Of one node, so that what a test asks without naming a key is asked of the right one.
describeStore('Redis Cluster', () => startCluster(1));
