//! The arrays that functions return.

use arrow_array::{Array as _, ArrayRef};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use super::capsules;

/// An Arrow array, which can be read over the PyCapsule interface.
#[pyclass(module = "simdtext.arrow", frozen)]
pub(crate) struct Array(pub(crate) ArrayRef);

type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

#[pymethods]
impl Array {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, self.0.data_type())
    }

    /// The protocol allows ignoring the requested schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        let _ = requested_schema;
        capsules::array(py, &self.0)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsules::stream(py, self.0.data_type(), vec![self.0.clone()])
    }

    /// Returns a field of an array of structs.
    fn __getitem__(&self, name: &Bound<'_, PyString>) -> PyResult<Array> {
        let field = capsules::field_index(self.0.data_type(), name)?;
        Ok(Array(capsules::child(&self.0, field)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The name of the type.
    #[getter]
    fn r#type(&self) -> String {
        self.0.data_type().to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "<simdtext.arrow.Array of {} {}>",
            self.0.len(),
            self.0.data_type()
        )
    }
}

/// A column in chunks, which can be read over the PyCapsule interface.
#[pyclass(module = "simdtext.arrow", frozen)]
pub(crate) struct ChunkedArray {
    pub(crate) data_type: DataType,
    pub(crate) chunks: Vec<ArrayRef>,
}

#[pymethods]
impl ChunkedArray {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.data_type)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsules::stream(py, &self.data_type, self.chunks.clone())
    }

    /// Returns a field of a column of structs.
    fn __getitem__(&self, name: &Bound<'_, PyString>) -> PyResult<ChunkedArray> {
        let field = capsules::field_index(&self.data_type, name)?;
        let DataType::Struct(fields) = &self.data_type else {
            unreachable!("`field_index` refused it")
        };
        Ok(ChunkedArray {
            data_type: fields[field].data_type().clone(),
            chunks: self
                .chunks
                .iter()
                .map(|chunk| capsules::child(chunk, field))
                .collect(),
        })
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// The chunks.
    #[getter]
    fn chunks(&self) -> Vec<Array> {
        self.chunks.iter().cloned().map(Array).collect()
    }

    /// The name of the type.
    #[getter]
    fn r#type(&self) -> String {
        self.data_type.to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "<simdtext.arrow.ChunkedArray of {} {} in {} chunks>",
            self.__len__(),
            self.data_type,
            self.chunks.len()
        )
    }
}
