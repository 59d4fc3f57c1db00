import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import { describeArchive } from '../contract/archive-describe.ts';
import { newBoard, put, readStandings, recordOfDay, someEntries, standingsOf } from '../support/archived.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** Nothing is ever written there. */
const dataDir = '/nonexistent';

describeArchive('the archive in PostgreSQL', async () => {
  const server = await startPostgres();
  return { place: { url: server.newDatabase(), dataDir }, stop: () => server.stop() };
});

describe('an archive in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'on' });
  });
  afterAll(() => server.stop());

  it('makes its tables once, however many processes start at the same time', async () => {
    const url = server.newDatabase();
    const archives = await Promise.all(Array.from({ length: 6 }, () => openArchive({ url, dataDir })));
    const board = newBoard();
    const standings = standingsOf(board, someEntries(30));
    const record = recordOfDay(board, 20_000, 30);
    await Promise.all(archives.map((archive) => put(archive, record, standings, 7)));
    for (const archive of archives) {
      expect(await readStandings(archive, board, record.period)).toEqual(standings);
      await archive.close();
    }
    const again = await openArchive({ url, dataDir });
    expect(await again.find(board, record.period)).toEqual(record);
    await again.close();
  });

  it('leaves the rest of a shared database alone', async () => {
    const url = server.newDatabase();
    server.psql(url, 'create table standings (mine int); create table period_records (mine int)');
    const archive = await openArchive({ url, dataDir });
    await archive.close();
    const tables = "select string_agg(table_name, ' ') from information_schema.tables where table_schema = 'public'";
    expect(server.psql(url, tables).trim().split(' ').toSorted()).toEqual(['period_records', 'standings']);
  });

  it('works on after its connections were cut', async () => {
    const url = server.newDatabase();
    const archive = await openArchive({ url, dataDir });
    const board = newBoard();
    const record = recordOfDay(board, 20_000, 10);
    await put(archive, record, standingsOf(board, someEntries(10)));
    for (let round = 0; round < 10; round += 1) {
      const reading = Array.from({ length: 8 }, () => readStandings(archive, board, record.period));
      const outcomes = Promise.allSettled(reading);
      await Promise.race(reading).catch(() => null);
      server.cutConnections(url);
      // Those that got through are whole.
      for (const one of await outcomes) if (one.status === 'fulfilled') expect(one.value).toHaveLength(10);
    }
    await expect.poll(() => archive.find(board, record.period).catch(() => null), { timeout: 5000 }).toEqual(record);
    await archive.close();
  });

  it('leaves no standings behind of a record that was deleted while they were added', async () => {
    const url = server.newDatabase();
    const archive = await openArchive({ url, dataDir });
    const board = newBoard();
    const standings = standingsOf(board, someEntries(400));
    for (let day = 20_000; day < 20_030; day += 1) {
      const record = recordOfDay(board, day, 400);
      await archive.begin(record);
      const batches = [0, 100, 200, 300].map((at) => archive.append(record, standings.slice(at, at + 100)));
      await Promise.allSettled([...batches, archive.prune(board, Number.MAX_SAFE_INTEGER)]);
    }
    await archive.removeBoard(board.incarnation);
    expect(server.psql(url, 'select count(*) from laurel.standings').trim()).toBe('0');
    await archive.close();
  });

  it('T3: goes on after the server crashed, which may have lost the last batches', async () => {
    const url = server.newDatabase();
    const archive = await openArchive({ url, dataDir });
    const board = newBoard();
    const standings = standingsOf(board, someEntries(500));
    const record = recordOfDay(board, 20_000, 500);
    await archive.begin(record);
    for (let at = 0; at < 400; at += 20) await archive.append(record, standings.slice(at, at + 20));
    await server.crash();
    const next = await until(
      () =>
        archive
          .begin(record)
          .then((index) => ({ index }))
          .catch(() => null),
      10_000,
    );
    expect(next.index % 20).toBe(0);
    await put(archive, record, standings, 20);
    await server.crash();
    await expect.poll(() => archive.find(board, record.period).catch(() => null), { timeout: 10_000 }).toEqual(record);
    expect(await readStandings(archive, board, record.period)).toEqual(standings);
    await archive.close();
  });

  it('says why it cannot be opened', async () => {
    const url = server.newDatabase();
    const missing = url.replace(/laurel_\d+/, 'no_such_database');
    await expect(openArchive({ url: missing, dataDir })).rejects.toThrow(
      'The archive cannot be used: database "no_such_database" does not exist',
    );
    const nowhere = openArchive({ url: 'postgres://u:secret@127.0.0.1:1/db', dataDir });
    await expect(nowhere).rejects.toThrow('The archive cannot be used: connect ECONNREFUSED 127.0.0.1:1');
  });

  it('refuses tables that a newer Laurel made', async () => {
    const url = server.newDatabase();
    await (await openArchive({ url, dataDir })).close();
    server.psql(url, "insert into laurel.migrations values ('9999-later', '2030-01-01')");
    await expect(openArchive({ url, dataDir })).rejects.toThrow('9999-later');
  });
});
