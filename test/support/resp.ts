/**
 * Reads the names of the commands in what a client sends to Redis: arrays of bulk strings. Returns what takes the chunks
 * as they come.
 */
export function readCommands(heard: (name: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const command = firstCommand(rest);
      if (!command) return;
      rest = rest.subarray(command.end);
      heard(command.name.toLowerCase());
    }
  };
}

function firstCommand(bytes: Buffer): { name: string; end: number } | null {
  const count = header(bytes, 0);
  if (!count) return null;
  let { end } = count;
  let name = '';
  for (let i = 0; i < count.value; i += 1) {
    const length = header(bytes, end);
    if (!length || bytes.length < length.end + length.value + 2) return null;
    if (i === 0) name = bytes.toString('latin1', length.end, length.end + length.value);
    end = length.end + length.value + 2;
  }
  return { name, end };
}

/** The number of a line such as `*3` or `$5`, and where the next begins. */
function header(bytes: Buffer, at: number): { value: number; end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', at);
  return lineEnd < 0 ? null : { value: Number(bytes.toString('latin1', at + 1, lineEnd)), end: lineEnd + 2 };
}
