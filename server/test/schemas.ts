/** The schema of an OpenAPI document, as far as webhooks use it. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Says where a value differs from its schema; a field that the schema does not name differs, too. */
export function differences(value: unknown, schema: Schema, at = ''): string[] {
  if (schema.const !== undefined) return value === schema.const ? [] : [at];
  if (value === null) return schema.type?.includes('null') ? [] : [at];
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (![schema.type].flat().includes(type) || (schema.enum && !schema.enum.includes(value))) return [at];
  if (Array.isArray(value)) return value.flatMap((item, i) => differences(item, schema.items ?? {}, `${at}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  const { required = [], properties = {} } = schema;
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  const parts = Object.entries(value).flatMap(([name, part]) =>
    differences(part, properties[name] ?? {}, `${at}.${name}`),
  );
  return [...missing, ...parts];
}
