import type fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';

type Generate = fc.GeneratorValue;

/** Values that arguments of these names may be given: those that mean something, and some that do not. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** A random subscription, valid by its schema though not in what it asks for, with the variables it is sent with. */
export class RandomSubscription {
  readonly variables: Record<string, unknown> = {};
  readonly text: string;
  /** What it subscribes to. */
  readonly field: string;
  readonly #definitions: string[] = [];
  readonly #fragments: string[] = [];
  readonly #generate: Generate;
  readonly #arbitraries: typeof fc;
  readonly #pools: Pools;
  #names = 0;

  constructor(generate: Generate, arbitraries: typeof fc, pools: Pools) {
    this.#generate = generate;
    this.#arbitraries = arbitraries;
    this.#pools = pools;
    const field = this.#oneOf(Object.values(schema.getSubscriptionType()?.getFields() ?? {}));
    this.field = field.name;
    const selection = this.#field(field, 5, '');
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(', ')})` : '';
    this.text = [`subscription Random${definitions} { ${selection} }`, ...this.#fragments].join('\n');
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#generate(this.#arbitraries.nat, values.length - 1)] as T;
  }

  /** True once in so many times. */
  #once(inTimes: number): boolean {
    return this.#generate(this.#arbitraries.nat, inTimes - 1) === 0;
  }

  #selection(type: GraphQLNamedOutputType, depth: number): string {
    const parts: string[] = [];
    if (isAbstractType(type)) {
      for (const possible of schema.getPossibleTypes(type)) {
        if (!this.#once(3))
          parts.push(`... on ${possible.name}${this.#directive()} ${this.#selection(possible, depth)}`);
      }
    }
    if (isObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => depth > 1 || !isCompositeType(getNamedType(field.type)),
      );
      const count = this.#generate(this.#arbitraries.integer, { min: 1, max: 4 });
      for (let i = 0; i < count && fields.length > 0; i += 1) parts.push(this.#field(this.#oneOf(fields), depth));
    }
    if (parts.length === 0 || this.#once(4)) parts.push('__typename');
    const selection = `{ ${parts.join(' ')} }`;
    if (this.#once(3)) return `{ __typename ${this.#spread(type, selection)}${this.#once(3) ? this.#again() : ''} }`;
    return selection;
  }

  /** The same by way of a fragment. */
  #spread({ name }: GraphQLNamedOutputType, selection: string): string {
    const fragment = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${fragment} on ${name} ${selection}`);
    return `...${fragment}${this.#directive()}`;
  }

  /** The fragment made last once more, under other conditions. */
  #again(): string {
    return ` ...F${this.#fragments.length - 1}${this.#directive()}`;
  }

  /** Every field has a name of its own, so that none contradicts another. */
  #field(field: GraphQLField<unknown, unknown>, depth: number, directive: string = this.#directive()): string {
    const named = getNamedType(field.type);
    const args = field.args.filter((arg) => isRequiredArgument(arg) || this.#once(3)).map((arg) => this.#argument(arg));
    const given = args.length > 0 ? `(${args.join(', ')})` : '';
    const selection = isCompositeType(named) ? ` ${this.#selection(named, depth - 1)}` : '';
    return `${this.#name()}: ${field.name}${given}${directive}${selection}`;
  }

  #name(): string {
    this.#names += 1;
    return `f${this.#names}`;
  }

  #directive(): string {
    if (!this.#once(8)) return '';
    const name = this.#name();
    this.#definitions.push(this.#once(2) ? `$${name}: Boolean!` : `$${name}: Boolean! = ${this.#once(2)}`);
    if (!this.#definitions.at(-1)?.includes('=') || this.#once(2)) this.variables[name] = this.#once(2);
    return ` @${this.#oneOf(['skip', 'include'])}(if: $${name})`;
  }

  #argument(arg: GraphQLArgument): string {
    const value = this.#value(arg.name, arg.type);
    if (this.#once(2)) return `${arg.name}: ${this.#literal(value, arg.type)}`;
    const name = this.#name();
    this.#definitions.push(`$${name}: ${arg.type}`);
    // Now and then left out, or null, where it may be.
    if (isNonNullType(arg.type) || !this.#once(4)) this.variables[name] = value;
    return `${arg.name}: $${name}`;
  }

  #value(name: string, type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.#value(name, type.ofType);
    if (isListType(type))
      return Array.from({ length: this.#generate(this.#arbitraries.nat, 3) }, () => this.#value(name, type.ofType));
    if (isEnumType(type)) return this.#oneOf(type.getValues().map((value) => value.name));
    const pool = this.#pools[name];
    if (!pool) throw new Error(`there is nothing to give to ${name}: ${type}`);
    return this.#oneOf(pool);
  }

  #literal(value: unknown, type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#literal(value, type.ofType);
    if (Array.isArray(value) && isListType(type))
      return `[${value.map((one) => this.#literal(one, type.ofType)).join(', ')}]`;
    return isEnumType(type) ? String(value) : JSON.stringify(value);
  }
}
