/** It has no types of its own. */
declare module 'cluster-key-slot' {
  /** The slot of a key, 0 to 16383: by its hash tag, where it has one. */
  export default function calculateSlot(key: string): number;
}
