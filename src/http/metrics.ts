import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Hub } from '../live/hub.ts';

interface Sources {
  readonly hub: Hub;
  readonly websockets: () => number;
  readonly subscriptions: () => number;
  readonly storeUp: () => boolean;
  /** Since the start. */
  readonly storeErrors: () => number;
}

/** What /metrics shows, in Prometheus' format. One registry for each app, so that two can live in one process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #operations: Histogram<'outcome'>;

  constructor(sources: Sources) {
    const registers = [this.#registry];
    // Watched every 10 ms, as is usual, the event loop's delay costs more than all else that an idle process does.
    const eventLoopMonitoringPrecision = 100;
    collectDefaultMetrics({ register: this.#registry, prefix: 'laurel_', eventLoopMonitoringPrecision });
    this.#operations = new Histogram({
      name: 'laurel_graphql_operation_seconds',
      help: 'Time to execute a query or mutation, by outcome',
      labelNames: ['outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
      registers,
    });
    new Counter({
      name: 'laurel_store_connection_errors_total',
      help: 'Errors of the connections to Redis',
      registers,
      collect() {
        this.reset();
        this.inc(sources.storeErrors());
      },
    });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    gauge('laurel_websocket_connections', 'Open websockets', sources.websockets);
    gauge('laurel_live_boards', 'Boards watched', () => sources.hub.counts().boards);
    gauge('laurel_live_windows', 'Distinct windows watched', () => sources.hub.counts().windows);
    gauge('laurel_live_subscribers', 'Running subscriptions', sources.subscriptions);
    gauge('laurel_live_feeds', 'Distinct feeds followed', () => sources.hub.counts().feeds);
    gauge('laurel_store_up', '1 while Redis can be reached', () => Number(sources.storeUp()));
  }

  /** Starts timing an operation; call what it returns with the outcome. */
  operation(): (outcome: 'ok' | 'error') => void {
    const stop = this.#operations.startTimer();
    return (outcome) => void stop({ outcome });
  }

  async text(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
