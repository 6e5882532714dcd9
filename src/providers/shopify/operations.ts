import { type Fields, metafieldDefinitions, metafieldSelection, variantSelection } from './selection.ts';

/** Everything we ever ask of a store. Each is proven valid against the published schemas of the Admin API. */

export const DESCRIBE_STORE = `query StallhandStore($location: ID) {
  shop { name currencyCode }
  location(id: $location) { id name isActive }
  productVariantsCount(limit: null) { count }
  currentAppInstallation { accessScopes { handle } }
}`;

export const LIST_LOCATIONS = `query StallhandLocations($first: Int!, $after: String) {
  locations(first: $first, after: $after) { nodes { id name isActive } pageInfo { hasNextPage endCursor } }
}`;

/** The first page, and what is to be known of the store: how many there are decides how the rest is read. */
export const readFirstPage = (more: Fields) => `query StallhandFirstVariants($first: Int!, $location: ID!) {
  shop { name currencyCode }
  location(id: $location) { id name isActive }
  productVariantsCount(limit: null) { count }
  currentAppInstallation { accessScopes { handle } }
  productVariants(first: $first) { nodes { ${variantSelection(more)} } pageInfo { hasNextPage endCursor } }
}`;

export const readPage = (
  more: Fields,
) => `query StallhandVariants($first: Int!, $after: String, $location: ID!) {
  productVariants(first: $first, after: $after) {
    nodes { ${variantSelection(more)} } pageInfo { hasNextPage endCursor }
  }
}`;

export const readById = (more: Fields) => `query StallhandVariantsById($ids: [ID!]!, $location: ID!) {
  nodes(ids: $ids) { ... on ProductVariant { ${variantSelection(more)} } }
}`;

/** A bulk operation takes no variables, so the place is written into it; an id of ours, never text of a caller. */
export const bulkVariants = (locationId: string, more: Fields) =>
  `{ productVariants { edges { node { ${variantSelection(more, JSON.stringify(locationId))} } } } }`;

/** The types of metafields: of those that products and variants have, and of those that the store has defined. */
export const metafieldTypes = (fields: Fields) => `query StallhandMetafieldTypes($ids: [ID!]!) {
  nodes(ids: $ids) { ${metafieldSelection(fields, 'type')} }
  ${metafieldDefinitions(fields)}
}`;

export const START_BULK_QUERY = `mutation StallhandBulkQuery($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: false) {
    bulkOperation { id status } userErrors { field message }
  }
}`;

export const BULK_STATUS = `query StallhandBulkStatus($id: ID!) {
  bulkOperation(id: $id) { id status errorCode url objectCount }
}`;

export const CANCEL_BULK = `mutation StallhandCancelBulk($id: ID!) {
  bulkOperationCancel(id: $id) { bulkOperation { id status } userErrors { field message } }
}`;

export const SET_QUANTITIES = `mutation StallhandSetQuantities($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) {
    inventoryAdjustmentGroup { id } userErrors { field message code }
  }
}`;

/** Without a quantity: that is set by comparing, too. */
export const ACTIVATE = `mutation StallhandActivate($item: ID!, $location: ID!, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location) @idempotent(key: $key) {
    userErrors { field message }
  }
}`;

export const UPDATE_VARIANTS = `mutation StallhandUpdateVariants($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkUpdate(productId: $productId, variants: $variants, allowPartialUpdates: true) {
    productVariants { id } userErrors { field message code }
  }
}`;

export const UPDATE_PRODUCT = `mutation StallhandUpdateProduct($product: ProductUpdateInput!) {
  productUpdate(product: $product) { product { id } userErrors { field message } }
}`;

const SHOWN_PRODUCT = `
      id title handle status onlineStoreUrl
      featuredMedia { preview { image { url } } }
      priceRangeV2 { minVariantPrice { amount currencyCode } }
      variants(first: 20) { nodes { id sku title price } }`;

export const LIST_PRODUCTS = `query StallhandProducts($first: Int!, $after: String, $query: String) {
  products(first: $first, after: $after, query: $query, sortKey: ID) {
    nodes {${SHOWN_PRODUCT}
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const FIND_PRODUCT = `query StallhandProduct($identifier: ProductIdentifierInput!) {
  productByIdentifier(identifier: $identifier) {${SHOWN_PRODUCT}
  }
}`;

const CREATED_PRODUCT = 'id variants(first: 100) { nodes { id sku barcode inventoryItem { id } } }';

export const CREATE_PRODUCT = `mutation StallhandCreateProduct($input: ProductSetInput!) {
  productSet(input: $input, synchronous: true) {
    product { ${CREATED_PRODUCT} } userErrors { field message code }
  }
}`;

export const FIND_CREATED = `query StallhandCreatedProduct($identifier: ProductIdentifierInput!) {
  productByIdentifier(identifier: $identifier) { ${CREATED_PRODUCT} }
}`;

/** All of them: a product has 250 at most. */
export const LIST_MEDIA = `query StallhandMedia($identifier: ProductIdentifierInput!) {
  productByIdentifier(identifier: $identifier) {
    media(first: 250) { nodes { id status mediaErrors { code message } preview { image { url } } } }
  }
}`;

/** The files that a product has, in their order: what is not among them is no longer the product's. */
export const SET_MEDIA = `mutation StallhandSetMedia($identifier: ProductSetIdentifiers!, $input: ProductSetInput!) {
  productSet(identifier: $identifier, input: $input, synchronous: true) {
    userErrors { field message code }
  }
}`;

export const DELETE_METAFIELDS = `mutation StallhandDeleteMetafields($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;

export const STAGE_UPLOAD = `mutation StallhandStageUpload($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } } userErrors { field message }
  }
}`;

export const START_BULK_MUTATION = `mutation StallhandBulkMutation($mutation: String!, $path: String!) {
  bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $path) {
    bulkOperation { id status } userErrors { field message code }
  }
}`;

export const LIST_SUBSCRIPTIONS = `query StallhandSubscriptions($first: Int!, $after: String) {
  webhookSubscriptions(first: $first, after: $after) { nodes { id topic uri } pageInfo { hasNextPage endCursor } }
}`;

export const SUBSCRIBE = `mutation StallhandSubscribe($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) {
    webhookSubscription { id topic uri } userErrors { field message }
  }
}`;
